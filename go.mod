module example.com/vacscope

go 1.26
